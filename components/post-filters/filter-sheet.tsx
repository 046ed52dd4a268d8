"use client";
import { useId, useState } from "react";
import { useRejectReasons } from "#components/shell/reasons-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
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

const orders = Object.entries(words.reviewTools.orders).map(([value, label]) => ({ value, label }));

const deckOrders = orders.filter(({ value }) => value === "oldest" || value === "newest");

const pictures = Object.entries(words.review.pictureCategories).map(([value, label]) => ({ value, label }));

const { any: anyResult, ...results } = words.review.checksOptions;

const holds = [
  { value: "any", label: words.reviewTools.heldAny },
  ...Object.entries(words.queue.heldReasons).map(([value, { name }]) => ({ value, label: name })),
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
      title={words.review.filters}
      footer={
        <>
          <Button
            onClick={() => apply(filters.order ? { order: filters.order } : {})}
            className="me-auto"
            variant="ghost"
          >
            {words.review.clearFilters}
          </Button>
          <Button type="submit" form={form} variant="primary">
            {words.reviewTools.apply}
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
        <Field label={words.reviewTools.search}>
          <Input type="search" placeholder={words.reviewTools.searchPlaceholder} {...input("q")} />
        </Field>
        {isMode ? null : (
          <Field label={words.reviewTools.order}>
            <Select
              options={ofLists ? orders : deckOrders}
              value={draft.order ?? defaultOrder}
              onChange={put("order")}
            />
          </Field>
        )}
        <Field label={words.review.stream}>
          <Select
            placeholder={words.reviewTools.anyStream}
            options={streams.map((stream) => ({
              value: String(stream.id),
              label: `#${stream.hashtag} · ${stream.instance}`,
            }))}
            {...input("stream_id")}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label={words.review.checks}>
            <Select
              placeholder={anyResult}
              options={Object.entries(results).map(([value, label]) => ({ value, label }))}
              value={checkChoiceOf(draft) ?? ""}
              onChange={({ target }) =>
                setDraft(withCheckChoice(draft, target.value === "" ? null : (target.value as CheckChoice)))
              }
            />
          </Field>
          <Field label={words.review.pictureCheck}>
            <Select
              placeholder={words.reviewTools.anyPictures}
              options={pictures}
              {...input("vision_category")}
            />
          </Field>
          <Field label={words.review.hasMedia}>
            <Select
              placeholder={words.review.mediaOptions.any}
              options={[
                { value: "true", label: words.review.mediaOptions.with },
                { value: "false", label: words.review.mediaOptions.without },
              ]}
              {...input("has_media")}
            />
          </Field>
          <Field label={words.review.language} hint={words.reviewTools.languageHint}>
            <Input autoCapitalize="none" spellCheck={false} maxLength={35} {...input("language")} />
          </Field>
          <Field label={words.review.instance}>
            <Input autoCapitalize="none" spellCheck={false} {...input("instance")} />
          </Field>
          <Field label={words.review.author} hint={words.reviewTools.authorHint}>
            <Input autoCapitalize="none" spellCheck={false} {...input("author")} />
          </Field>
        </div>
        {ofLists || draft.held_by !== undefined ? (
          <Field label={words.queue.heldTitle}>
            <Select placeholder={words.reviewTools.heldAll} options={holds} {...input("held_by")} />
          </Field>
        ) : null}
        {members === undefined ? null : (
          <Field label={words.reviewTools.decided.reviewer} hint={words.reviewTools.decided.reviewerHint}>
            <Select
              placeholder={words.reviewTools.anyMember}
              options={[
                ...members.map(({ id, name }) => ({ value: String(id), label: name })),
                { value: "0", label: words.reviewTools.decided.unknownMember },
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
          <Field label={words.reviewTools.decided.reason}>
            <Select
              placeholder={words.reviewTools.anyReason}
              options={[
                ...reasons.map(({ id, label }) => ({ value: String(id), label })),
                { value: "0", label: words.reasons.none },
              ]}
              {...input("reject_reason")}
            />
          </Field>
        ) : null}
        <Field label={words.reviewTools.timeFilter}>
          <Select
            value={draft.happened ?? "created"}
            onChange={(event) =>
              put("happened")({
                target: { value: event.target.value === "created" ? "" : event.target.value },
              })
            }
            options={Object.entries(words.review.timedEvents)
              .filter(([value]) => ofLists || ["created", "fetched", draft.happened].includes(value))
              .map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label={words.review.since(timeFilterLabel(draft))}>
            <Input type="date" value={(draft.since ?? "").slice(0, 10)} onChange={put("since")} />
          </Field>
          <Field label={words.review.until(timeFilterLabel(draft))}>
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
