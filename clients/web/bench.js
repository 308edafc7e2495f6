// An hour of virtual playback through the narrator; prints what it left on the heap, as JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "web-bench-"));
try {
  const outfile = join(folder, "bench.mjs");
  const entryPoints = [join(HERE, "test/hour.ts")];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node" });
  const { hour } = await import(pathToFileURL(outfile).href);
  console.log(JSON.stringify(await hour()));
} finally {
  rmSync(folder, { recursive: true });
}
