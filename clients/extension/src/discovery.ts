// Whether a page's own site publishes audio description for it. Documented in docs/extension.md:
// a link or a meta element in the page, else the site's /.well-known/audio-description.

/**
 * The address of the stream that is offered, http(s)://HOST/v1/streams/NAME, or null. Runs inside
 * the page, so it may use nothing from outside this function.
 */
export async function discover(): Promise<string | null> {
  const STREAM = /^\/(?:[^?#]*\/)?v1\/streams\/[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
  const LIMIT = 1_500;

  const checked = (text: unknown): string | null => {
    if (typeof text !== "string" || !URL.canParse(text, document.baseURI)) return null;
    const url = new URL(text, document.baseURI);
    const here = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
    const safe = url.protocol === "https:" || (url.protocol === "http:" && here);
    return safe && !url.username && STREAM.test(url.pathname) ? url.origin + url.pathname : null;
  };

  const link = document.querySelector<HTMLLinkElement>('link[rel~="audio-description"]');
  const meta = document.querySelector<HTMLMetaElement>('meta[name="audio-description"]');
  const named = checked(link?.getAttribute("href")) ?? checked(meta?.content);
  if (named !== null || !/^https?:$/.test(location.protocol)) return named;

  try {
    const answer = await fetch("/.well-known/audio-description", {
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT),
    });
    if (!answer.ok) return null;
    const found = (await answer.json()) as { streams?: { path?: unknown; stream?: unknown }[] };
    const here = (Array.isArray(found.streams) ? found.streams : []).find(
      (each) => typeof each?.path === "string" && matches(each.path, location.pathname),
    );
    return checked(here?.stream);
  } catch {
    return null; // no such file, no JSON, or too slow: nothing is offered
  }

  /** A path may end with one `*`. */
  function matches(path: string, at: string): boolean {
    return path.endsWith("*") ? at.startsWith(path.slice(0, -1)) : at === path;
  }
}
