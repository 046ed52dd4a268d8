/**
 * Every word of the screens, one file a screen: `words.queue.title`. Verbs on buttons, no "please", no
 * exclamation marks, no praise; the same thing has the same name here, in the API and in the log.
 *
 * What the desk loads first takes `import * as words from "#components/words/all.ts"` instead: of a namespace only the
 * screens that are used are carried, of this object all of them.
 */
export * as words from "./all.ts";
