/**
 * Every word of the screens, one file a screen: `words.queue.title`. Verbs on buttons, no "please", no
 * exclamation marks, no praise; the same thing has the same name here, in the API and in the log.
 *
 * What the desk loads first takes `import * as words from "#components/words/desk.ts"` instead: a namespace brings what
 * any of its users names.
 */
export * as words from "./all.ts";
