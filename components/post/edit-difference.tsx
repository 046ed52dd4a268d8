import { PencilLine } from "lucide-react";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { postPage as w } from "#components/words/en/post-page.ts";
import { post as postWords } from "#components/words/en/post.ts";
import { plainText } from "#lib/client/plain-text.ts";
import { diffText, type DiffPart } from "./text-diff.ts";

type Version = Record<string, unknown>;

export interface PostEdit {
  at: string;
  before: Version;
  after: Version;
}

/** Text of a field of a version, for comparison. */
const fields: readonly (readonly [label: string | null, text: (version: Version) => string])[] = [
  [w.editWarning, ({ spoiler_text: text }) => stringOf(text)],
  [null, ({ content }) => plainText(stringOf(content))],
  [
    w.editAltText,
    ({ media }) =>
      listOf(media)
        .map((medium) => (isObject(medium) ? stringOf(medium["description"]) : ""))
        .join("\n"),
  ],
  [w.editPoll, ({ poll }) => listOf(poll).map(stringOf).join("\n")],
  [w.editMark, ({ sensitive }) => (sensitive === true ? postWords.sensitive : "")],
];

export function EditDifference({ edit: { at, before, after } }: { edit: PostEdit }) {
  const media = [listOf(before["media"]), listOf(after["media"])] as const;
  const hasOtherMedia = JSON.stringify(media[0]) !== JSON.stringify(media[1]);
  const changes = fields.flatMap(([label, textOf]) => {
    const parts = diffText(textOf(before), textOf(after));
    return isChanged(parts) ? [{ label, parts }] : [];
  });
  return (
    <section
      aria-label={w.editTitle}
      className="rounded-md border border-line bg-warn-quiet px-3 py-2 text-13"
    >
      <h3 className="flex items-center gap-1.5 font-medium">
        <PencilLine aria-hidden className="size-4 text-warn" />
        {w.editTitle} <RelativeTime at={at} className="font-normal text-muted" />
      </h3>
      {changes.map(({ label, parts }) => (
        <p key={label} dir="auto" className="mt-1.5 text-14 whitespace-pre-line wrap-anywhere">
          {label === null ? null : <span className="text-muted">{label}: </span>}
          <Parts parts={parts} />
        </p>
      ))}
      {hasOtherMedia ? <p className="mt-1.5">{w.editMedia(media[0].length, media[1].length)}</p> : null}
      {changes.length > 0 || hasOtherMedia ? null : <p className="mt-1.5">{w.editSame}</p>}
    </section>
  );
}

function isObject(value: unknown): value is Version {
  return typeof value === "object" && value !== null;
}

function Parts({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map((part, i) =>
    part.kind === "same" ? (
      <span key={i}>{part.text}</span>
    ) : part.kind === "added" ? (
      <ins key={i} className="rounded-sm bg-approve-quiet text-approve decoration-1 underline-offset-2">
        <VisuallyHidden> [{w.editAdded}: </VisuallyHidden>
        {part.text}
        <VisuallyHidden>] </VisuallyHidden>
      </ins>
    ) : (
      <del key={i} className="rounded-sm bg-reject-quiet text-reject decoration-1">
        <VisuallyHidden> [{w.editRemoved}: </VisuallyHidden>
        {part.text}
        <VisuallyHidden>] </VisuallyHidden>
      </del>
    ),
  );
}

function isChanged(parts: readonly DiffPart[]): boolean {
  return parts.some((part) => part.kind !== "same");
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
