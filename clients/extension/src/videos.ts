// The videos of a document, also those inside shadow roots, open or closed.

/** All video elements, in the order of the document. */
export function videosIn(root: ParentNode): HTMLVideoElement[] {
  const found: HTMLVideoElement[] = [];
  const roots: ParentNode[] = [root];
  for (let at = roots.shift(); at !== undefined; at = roots.shift()) {
    found.push(...at.querySelectorAll("video"));
    for (const element of at.querySelectorAll<HTMLElement>("*")) {
      const shadow = shadowOf(element);
      if (shadow) roots.push(shadow);
    }
  }
  return found;
}

function shadowOf(element: HTMLElement): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  // Only elements with a dash in their name, and a few others, can hide a closed one.
  if (!element.localName.includes("-") || !(element instanceof HTMLElement)) return null;
  return chrome.dom?.openOrClosedShadowRoot(element) ?? null;
}
