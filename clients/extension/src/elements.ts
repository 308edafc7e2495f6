// The elements of a page of ours, by id.

/** Raises where the page has none of that kind: then it is not the page this script is for. */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}
