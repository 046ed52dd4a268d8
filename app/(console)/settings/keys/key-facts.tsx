import { Badge } from "#components/ui/badge.tsx";
import { scopeWords } from "#components/words.ts";
import type { ApiKey } from "#lib/accounts/key-schema.ts";

export type NamedStream = { id: number; hashtag: string; instance: string };

export function streamNames(ids: readonly number[], streams: readonly NamedStream[]): string {
  if (ids.length === 0) return "All streams";
  const names = new Map(streams.map(({ id, hashtag }) => [id, `#${hashtag}`]));
  return ids.map((id) => names.get(id) ?? `Stream ${id}, deleted`).join(", ");
}

export function Scopes({ of: { scopes } }: { of: ApiKey }) {
  return (
    <span className="inline-flex flex-wrap gap-1 align-middle">
      {scopes.map((scope) => (
        <Badge key={scope} title={scopeWords[scope].hint}>
          {scopeWords[scope].name}
        </Badge>
      ))}
    </span>
  );
}
