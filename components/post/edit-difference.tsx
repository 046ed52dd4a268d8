import { diffArrays } from "diff";
import { PencilLine } from "lucide-react";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import type { Edit } from "#lib/review/deck-schema.ts";

const editMedia = (before: number, after: number) =>
  before === after ? "Media were replaced or described anew" : `Media: ${before} before, ${after} after`;

/** A version as an edit stores it. */
interface Version {
  content: string;
  spoiler_text: string | null;
  sensitive: boolean;
  media: readonly { description: string | null }[];
  poll: readonly string[] | null;
}

/** Label and text of each compared field. */
const fields: readonly (readonly [label: string | null, text: (version: Version) => string])[] = [
  ["Content warning", ({ spoiler_text: text }) => text ?? ""],
  [null, ({ content }) => plainText(content)],
  ["Alt text", ({ media }) => media.map(({ description }) => description ?? "").join("\n")],
  ["Poll", ({ poll }) => poll?.join("\n") ?? ""],
  ["Mark", ({ sensitive }) => (sensitive ? "Marked sensitive" : "")],
];

export function EditDifference({ edit }: { edit: Edit }) {
  const [before, after] = [edit.before, edit.after] as unknown as [Version, Version];
  const hasOtherMedia = JSON.stringify(before.media) !== JSON.stringify(after.media);
  const changes = fields.flatMap(([label, textOf]) => {
    const parts = diffText(textOf(before), textOf(after));
    return isChanged(parts) ? [{ label, parts }] : [];
  });
  return (
    <section
      aria-label="Edited by the author"
      className="rounded-md border border-line bg-warn-quiet px-3 py-2 text-13"
    >
      <h3 className="flex items-center gap-1.5 font-medium">
        <PencilLine aria-hidden className="size-4 text-warn" />
        Edited by the author <RelativeTime at={edit.at} className="font-normal text-muted" />
      </h3>
      {changes.map(({ label, parts }) => (
        <p key={label} dir="auto" className="mt-1.5 text-14 whitespace-pre-line wrap-anywhere">
          {label === null ? null : <span className="text-muted">{label}: </span>}
          {isRewritten(parts) ? (
            parts.map(({ kind, text }) => (
              <span key={kind} className="block">
                <span className="text-muted">{kind === "removed" ? "Before: " : "Now: "}</span>
                {text}
              </span>
            ))
          ) : (
            <Parts parts={parts} />
          )}
        </p>
      ))}
      {hasOtherMedia ? <p className="mt-1.5">{editMedia(before.media.length, after.media.length)}</p> : null}
      {changes.length > 0 || hasOtherMedia ? null : (
        <p className="mt-1.5">Same text; media or markup changed</p>
      )}
    </section>
  );
}

function Parts({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map((part, i) =>
    part.kind === "same" ? (
      <span key={i}>{part.text}</span>
    ) : part.kind === "added" ? (
      <ins key={i} className="rounded-sm bg-approve-quiet text-approve decoration-1 underline-offset-2">
        <span className="hidden-visually"> [added: </span>
        {part.text}
        <span className="hidden-visually">] </span>
      </ins>
    ) : (
      <del key={i} className="rounded-sm bg-reject-quiet text-reject decoration-1">
        <span className="hidden-visually"> [removed: </span>
        {part.text}
        <span className="hidden-visually">] </span>
      </del>
    ),
  );
}

function isChanged(parts: readonly DiffPart[]): boolean {
  return parts.some((part) => part.kind !== "same");
}

function isRewritten(parts: readonly DiffPart[]): boolean {
  return parts.length === 2 && parts.every(({ kind }) => kind !== "same");
}

interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** With more edits a comparison takes over half a second. */
const MAX_EDITS = 800;

/** Compares two texts by word. If more than half differs, returns both texts whole, the old one first. */
export function diffText(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS }) ?? [];
  const parts = changes.map(({ value, added, removed }): DiffPart => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  }));
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  if (same * 2 >= Math.max(before.length, after.length)) return parts;
  const whole: DiffPart[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return whole.filter(({ text }) => text !== "");
}

/** Words, also of scripts without spaces. */
function wordsOf(text: string): string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
    (word) => word.segment,
  );
}
