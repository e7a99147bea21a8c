import { Component, type ComponentChildren } from "preact";
import * as TEXT from "../text";

/** Keeps one part that cannot be drawn from taking the page with it. */
export class Guard extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ broken: true });
  }

  override render(): ComponentChildren {
    return this.state.broken ? <p class="notice">{TEXT.brokenPart}</p> : this.props.children;
  }
}
