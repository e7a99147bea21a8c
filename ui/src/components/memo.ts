import { Component, type ComponentChildren, type FunctionComponent, h } from "preact";

/** Draws a component again only when one of its properties is another value. */
export function memo<P extends object>(Inner: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const keys = new Set([...Object.keys(next), ...Object.keys(this.props)]) as Set<keyof P>;
      for (const key of keys) if (next[key] !== (this.props as P)[key]) return true;
      return false;
    }

    override render(): ComponentChildren {
      return h(Inner, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
