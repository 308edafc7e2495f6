// Builds the tests, and runs them with node's own runner: node web/test.js [NAME-PATTERN]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const SUITES = [join(HERE, "test"), join(HERE, "../player/test"), join(HERE, "../extension/test")];

const folder = mkdtempSync(join(tmpdir(), "web-tests-"));
try {
  const entryPoints = SUITES.flatMap(tests);
  await build({
    entryPoints,
    outdir: folder,
    outbase: join(HERE, ".."),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
  const pattern = process.argv[2] ? [`--test-name-pattern=${process.argv[2]}`] : [];
  const files = readdirSync(folder, { recursive: true }).filter((n) => n.endsWith(".test.mjs"));
  const all = files.map((name) => join(folder, name));
  const run = ["--enable-source-maps", "--test", ...pattern, ...all];
  process.exitCode = spawnSync(process.execPath, run, { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

function tests(suite) {
  try {
    const names = readdirSync(suite).filter((name) => name.endsWith(".test.ts"));
    return names.map((name) => join(suite, name));
  } catch {
    return []; // this client has no tests of its own
  }
}
