import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { blockFields, blockListSchemas, type BlockEntry, type BlockKind } from "#lib/filters/schema.ts";
import { panelOf, type Draft } from "./block-list-kinds.tsx";

const w = words.filters;
const refresh = ["/reblog-controls*", "/curated*", "/posts*"];

export function useBlock<K extends BlockKind>(kind: K, onDone?: () => void) {
  const { nameOf, keyOf } = panelOf(kind);
  const undo = useDelete(kind);
  return useMutation<Draft<K>, BlockEntry<K>>(
    (draft) =>
      apiFetch(blockListSchemas[kind].path, {
        method: "POST",
        body: bodyOf(draft),
      }),
    {
      refresh,
      onDone: (entry) => {
        onDone?.();
        notifyDone(w.blocked(nameOf(entry)), { id: keyOf(entry), undo: () => void undo.run(entry) });
      },
    },
  );
}

export function useUnblock<K extends BlockKind>(kind: K) {
  const restore = useBlock(kind);
  return useDelete(kind, (entry) => void restore.run(draftOf(kind, entry)));
}

function useDelete<K extends BlockKind>(kind: K, undo?: (entry: BlockEntry<K>) => void) {
  const { nameOf, keyOf } = panelOf(kind);
  return useMutation<BlockEntry<K>>(
    (entry) => apiFetch(`${blockListSchemas[kind].path}/${entry.id}`, { method: "DELETE" }),
    {
      refresh,
      onDone: (_nothing, entry) =>
        notifyDone(w.unblocked(nameOf(entry)), {
          id: keyOf(entry),
          ...(undo ? { undo: () => undo(entry) } : {}),
        }),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
}

function bodyOf(draft: Partial<Record<string, string>>) {
  const isDomain = draft["pattern_type"] === "domain";
  return {
    ...draft,
    ...(isDomain ? { pattern_type: "suffix", subdomains: true } : {}),
    notes: draft["notes"] || null,
  };
}

function draftOf<K extends BlockKind>(kind: K, entry: BlockEntry<K>): Draft<K> {
  const values = entry as unknown as Record<string, string | null>;
  return Object.fromEntries(blockFields[kind].map((name) => [name, values[name] ?? ""])) as Draft<K>;
}
