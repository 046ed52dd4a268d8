import { build, isBuilt } from "#lib/runtime/build.ts";

/* The production build as a stage of `npm test`: made anew only when a source changed. */

if (!(await isBuilt())) await build();
