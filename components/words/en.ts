/**
 * All screen texts, one file per screen: `words.queue.title`. Verbs on buttons, no "please", no exclamation
 * marks. One thing has one name here, in the API and in the log. The desk's first load uses `import * as
 * words from "#components/words/desk.ts"` instead, so that it contains only the texts it uses.
 */
export * as words from "./all.ts";
