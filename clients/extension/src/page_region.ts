// A live region in the page, for those whose screen reader is to speak. In a shadow root of its own,
// so that the page's styles and scripts leave it alone.

const HIDDEN =
  "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";

export class PageRegion {
  #host: HTMLElement | null = null;
  #region: HTMLElement | null = null;

  /** It is made at the first text, and stays. */
  show(text: string, language: string): void {
    const region = this.#region ?? this.#make();
    region.lang = language;
    region.textContent = text;
  }

  remove(): void {
    this.#host?.remove();
    this.#host = this.#region = null;
  }

  #make(): HTMLElement {
    this.#host = document.createElement("strad-live-region");
    const shadow = this.#host.attachShadow({ mode: "closed" });
    const region = document.createElement("div");
    region.setAttribute("aria-live", "polite");
    region.style.cssText = HIDDEN;
    shadow.append(region);
    document.documentElement.append(this.#host);
    this.#region = region;
    return region;
  }
}
