"use client";
import { checkResults, heldReasons, orderLabels, pictureCategories, timedEvents } from "#components/words.ts";
import { useId, useState } from "react";
import { useRejectReasons } from "#components/shell/reasons-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import {
  checkChoiceOf,
  withCheckChoice,
  type CheckChoice,
  type Filters,
} from "#lib/client/desk/post-filters.ts";
import { timeFilterLabel, type MemberName, type StreamChoice } from "./filter-words.ts";
import { SavedFilters } from "./saved-filters.tsx";

export interface FilterSheetProps {
  filters: Filters;
  streams: readonly StreamChoice[];
  members?: readonly MemberName[] | undefined;
  defaultOrder: "oldest" | "newest";
  onApply: (filters: Filters) => void;
  onClose: () => void;
}

const orders = Object.entries(orderLabels).map(([value, label]) => ({ value, label }));

const deckOrders = orders.filter(({ value }) => value === "oldest" || value === "newest");

const pictures = Object.entries(pictureCategories).map(([value, label]) => ({ value, label }));

const results = Object.entries(checkResults)
  .map(([value, label]) => ({ value, label }))
  .filter(({ value }) => value !== "any");

const holds = [
  { value: "any", label: "Held for any reason" },
  ...Object.entries(heldReasons).map(([value, { name }]) => ({ value, label: name })),
];

export function FilterSheet({ filters, streams, members, defaultOrder, onApply, onClose }: FilterSheetProps) {
  const [draft, setDraft] = useState(filters);
  const form = useId();
  const reasons = useRejectReasons();
  // Posts at the desk are neither held nor handed out.
  const ofLists = defaultOrder === "newest";
  // The desk has a button for each of its modes.
  const isMode = !ofLists && draft.order !== undefined && draft.order !== "newest";
  const put = (name: keyof Filters) => (event: { target: { value: string } }) => {
    const { value } = event.target;
    setDraft(({ [name]: _old, ...rest }) => (value === "" ? rest : { ...rest, [name]: value }));
  };
  const apply = (next: Filters) => {
    onApply(next);
    onClose();
  };
  const input = (name: keyof Filters) => ({ value: draft[name] ?? "", onChange: put(name) });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Filters"
      footer={
        <>
          <Button
            onClick={() => apply(filters.order ? { order: filters.order } : {})}
            className="me-auto"
            variant="ghost"
          >
            Clear filters
          </Button>
          <Button type="submit" form={form} variant="primary">
            Apply
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          apply(draft);
        }}
      >
        <Field label="Search">
          <Input type="search" placeholder="Text, warning, alt text, author" {...input("q")} />
        </Field>
        {isMode ? null : (
          <Field label="Order">
            <Select
              options={ofLists ? orders : deckOrders}
              value={draft.order ?? defaultOrder}
              onChange={put("order")}
            />
          </Field>
        )}
        <Field label="Stream">
          <Select
            placeholder="All streams"
            options={streams.map((stream) => ({
              value: String(stream.id),
              label: `#${stream.hashtag} · ${stream.instance}`,
            }))}
            {...input("stream_id")}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Check result">
            <Select
              placeholder="Any"
              options={results}
              value={checkChoiceOf(draft) ?? ""}
              onChange={({ target }) =>
                setDraft(withCheckChoice(draft, target.value === "" ? null : (target.value as CheckChoice)))
              }
            />
          </Field>
          <Field label="Picture check">
            <Select placeholder="Any" options={pictures} {...input("vision_category")} />
          </Field>
          <Field label="Media">
            <Select
              placeholder="Any"
              options={[
                { value: "true", label: "With media" },
                { value: "false", label: "Without media" },
              ]}
              {...input("has_media")}
            />
          </Field>
          <Field label="Language" hint="Such as en, de, ja">
            <Input autoCapitalize="none" spellCheck={false} maxLength={35} {...input("language")} />
          </Field>
          <Field label="Server">
            <Input autoCapitalize="none" spellCheck={false} {...input("instance")} />
          </Field>
          <Field label="Author" hint="@user@host, or a user name">
            <Input autoCapitalize="none" spellCheck={false} {...input("author")} />
          </Field>
        </div>
        {ofLists || draft.held_by !== undefined ? (
          <Field label="Held">
            <Select placeholder="Held or not" options={holds} {...input("held_by")} />
          </Field>
        ) : null}
        {members === undefined ? null : (
          <Field label="Decided by" hint="Also through the member's API keys">
            <Select
              placeholder="Anyone, or nobody yet"
              options={[
                ...members.map(({ id, name }) => ({ value: String(id), label: name })),
                { value: "0", label: "Unknown member" },
              ]}
              value={draft.reviewer ?? ""}
              onChange={(event) => {
                put("reviewed_by")({ target: { value: "" } });
                put("reviewer")(event);
              }}
            />
          </Field>
        )}
        {ofLists || draft.reject_reason !== undefined ? (
          <Field label="Rejected for">
            <Select
              placeholder="Any reason, or none"
              options={[
                ...reasons.map(({ id, label }) => ({ value: String(id), label })),
                { value: "0", label: "No reason" },
              ]}
              {...input("reject_reason")}
            />
          </Field>
        ) : null}
        <Field label="Period and order by">
          <Select
            value={draft.happened ?? "created"}
            onChange={(event) =>
              put("happened")({
                target: { value: event.target.value === "created" ? "" : event.target.value },
              })
            }
            options={Object.entries(timedEvents)
              .filter(([value]) => ofLists || ["created", "fetched", draft.happened].includes(value))
              .map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label={`${timeFilterLabel(draft)} from`}>
            <Input type="date" value={(draft.since ?? "").slice(0, 10)} onChange={put("since")} />
          </Field>
          <Field label={`${timeFilterLabel(draft)} until`}>
            <Input
              type="date"
              value={(draft.until ?? "").slice(0, 10)}
              onChange={(event) =>
                put("until")({
                  target: { value: event.target.value === "" ? "" : `${event.target.value}T23:59:59.999Z` },
                })
              }
            />
          </Field>
        </div>
      </form>
      <SavedFilters current={draft} onPick={apply} />
    </Sheet>
  );
}
