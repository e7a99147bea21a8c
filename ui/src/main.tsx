import { render } from "preact";
import { takeAddress } from "./address";
import { Chat } from "./chat";
import { App, NoAddress } from "./components/App";
import "./style/base.css";
import "./style/conversation.css";
import "./style/cards.css";
import "./style/composer.css";
import "./style/small.css";

history.scrollRestoration = "manual"; // the page shows the end of the conversation
const page = document.getElementById("page") as HTMLElement;
const address = takeAddress(window);

if (address) {
  const chat = new Chat(address);
  render(<App chat={chat} />, page);
  chat.start();
  addEventListener("online", () => chat.wake());
  document.addEventListener("visibilitychange", () => document.hidden || chat.wake());
  addEventListener("pagehide", () => chat.close());
  // The browser's back-forward cache brings a page back whose stream was closed.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
} else {
  render(<NoAddress />, page);
}

// Another chat's address in the same tab changes only the fragment, and the browser does not load the page anew.
addEventListener("hashchange", () => location.hash && location.reload());
