"use client";
import { scopeWords } from "#components/words.ts";
import { CircleAlert } from "lucide-react";
import { Checkbox, RadioGroup } from "#components/ui/choice.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import type { NamedStream, ScopeName } from "./key-facts.ts";

/** Limited to the member's rights. */
export function ScopeChoices({
  offered,
  chosen,
  error,
  onChange,
}: {
  offered: readonly ScopeName[];
  chosen: readonly ScopeName[];
  error: string | undefined;
  onChange: (chosen: ScopeName[]) => void;
}) {
  return (
    <FieldSet legend="Scopes">
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          label={scopeWords[scope].name}
          hint={scopeWords[scope].hint}
          checked={chosen.includes(scope)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
          }
        />
      ))}
      <Problem text={error} />
    </FieldSet>
  );
}

/** Null for all. */
export function StreamChoices({
  streams,
  chosen,
  error,
  onChange,
}: {
  streams: readonly NamedStream[];
  chosen: number[] | null;
  error: string | undefined;
  onChange: (chosen: number[] | null) => void;
}) {
  return (
    <FieldSet legend="Streams">
      <RadioGroup
        label="Streams"
        value={chosen === null ? "every" : "some"}
        onChange={(value) => onChange(value === "every" ? null : [])}
        options={[
          { value: "every", label: "All streams" },
          {
            value: "some",
            label: "Selected streams",
            hint: "The key receives posts from these streams only.",
            disabled: streams.length === 0,
          },
        ]}
      />
      {chosen === null ? null : (
        <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded-md border border-line-strong px-3 py-2.5">
          {streams.map((stream) => (
            <Checkbox
              key={stream.id}
              label={
                <span className="wrap-anywhere">
                  #{stream.hashtag} <span className="text-muted">{stream.instance}</span>
                </span>
              }
              checked={chosen.includes(stream.id)}
              onChange={(event) =>
                onChange(
                  event.target.checked ? [...chosen, stream.id] : chosen.filter((id) => id !== stream.id),
                )
              }
            />
          ))}
        </div>
      )}
      <Problem text={error} />
    </FieldSet>
  );
}

function Problem({ text }: { text: string | undefined }) {
  return (
    <p role="alert" className="flex gap-1 text-12 text-reject empty:hidden">
      {text === undefined ? null : (
        <>
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          {text}
        </>
      )}
    </p>
  );
}
