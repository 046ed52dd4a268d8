import { readFile } from "node:fs/promises";
import path from "node:path";
import { openOperation, raw } from "./route.ts";

/** The page names the version in the address, so what was loaded once is kept. */
const KEEP = "public, max-age=31536000, immutable";

/**
 * The reference page's program, served from our own origin: the page must work without internet, and the content
 * policy lets no other origin in. 4.2 MB; Next packs it on its way out, to 1.3 MB (doing so here as well would
 * pack it twice).
 */
export const bundleOperation = openOperation({
  summary: "The program of the reference page",
  tag: "Health",
  auth: "none",
  contentType: "text/javascript",
  responses: { 200: null },
  handle: async () => {
    // Written out in one piece, so that the build knows which single file it is.
    const file = path.join(process.cwd(), "node_modules/@scalar/api-reference/dist/browser/standalone.js");
    const program = new Uint8Array(await readFile(file));
    return raw(program, "text/javascript; charset=utf-8", { "Cache-Control": KEEP });
  },
});
