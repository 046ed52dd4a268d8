import { PencilLine } from "lucide-react";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import * as words from "#components/words/all.ts";
import { plainText } from "#lib/client/plain-text.ts";
import { diffText, type DiffPart } from "./text-diff.ts";

type Version = Record<string, unknown>;

export interface PostEdit {
  at: string;
  before: Version;
  after: Version;
}

export function EditDifference({ edit }: { edit: PostEdit }) {
  const text = diffText(plainText(stringOf(edit.before.content)), plainText(stringOf(edit.after.content)));
  const warning = diffText(stringOf(edit.before.spoiler_text), stringOf(edit.after.spoiler_text));
  const media = [listOf(edit.before.media), listOf(edit.after.media)] as const;
  const sameMedia = JSON.stringify(media[0]) === JSON.stringify(media[1]);
  return (
    <section
      aria-label={words.postPage.editTitle}
      className="rounded-md border border-line bg-warn-quiet px-3 py-2 text-13"
    >
      <h3 className="flex items-center gap-1.5 font-medium">
        <PencilLine aria-hidden className="size-4 text-warn" />
        {words.postPage.editTitle} <RelativeTime at={edit.at} className="font-normal text-muted" />
      </h3>
      {isChanged(warning) ? (
        <p dir="auto" className="mt-1.5">
          <span className="text-muted">{words.postPage.editWarning}: </span>
          <Parts parts={warning} />
        </p>
      ) : null}
      {isChanged(text) ? (
        <p dir="auto" className="mt-1.5 text-14 whitespace-pre-line wrap-anywhere">
          <Parts parts={text} />
        </p>
      ) : null}
      {sameMedia ? null : (
        <p className="mt-1.5">{words.postPage.editMedia(media[0].length, media[1].length)}</p>
      )}
      {isChanged(text) || isChanged(warning) || !sameMedia ? null : (
        <p className="mt-1.5">{words.postPage.editSame}</p>
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
        <VisuallyHidden> [{words.postPage.editAdded}: </VisuallyHidden>
        {part.text}
        <VisuallyHidden>] </VisuallyHidden>
      </ins>
    ) : (
      <del key={i} className="rounded-sm bg-reject-quiet text-reject decoration-1">
        <VisuallyHidden> [{words.postPage.editRemoved}: </VisuallyHidden>
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
