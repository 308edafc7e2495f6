// Finds what index.html has.

export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new TypeError(`index.html has no ${kind.name} #${id}`);
}
