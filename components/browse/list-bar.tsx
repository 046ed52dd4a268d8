"use client";
import { ListFilter, Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState, useTransition } from "react";
import { FilterChips, RefusedFilters } from "#components/post-filters/filter-chips.tsx";
import type { FilterChoices } from "#components/post-filters/filter-words.ts";
import { useFilters } from "#components/post-filters/use-filters.ts";
import { OrderSwitch, ViewSwitch } from "#components/post-filters/view-switch.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { Input, Select } from "#components/ui/input.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { orderLabels, stateLabels } from "#components/words.ts";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import { formText } from "#lib/client/form-text.ts";
import type { ListPlace } from "#lib/client/desk/list.ts";
import {
  deckFilters,
  stateChoices,
  stateOf,
  withState,
  type StateChoice,
} from "#lib/client/desk/post-filters.ts";

const FilterSheet = lazyWithRetry(
  () => import("#components/post-filters/filter-sheet.tsx").then((module) => module.FilterSheet),
  LoadingNotice,
);

const orders = Object.entries(orderLabels).map(([value, label]) => ({ value, label }));
const states = Object.keys(stateChoices).map((value) => ({
  value,
  label: value === "all" ? "All" : stateLabels[value as Exclude<StateChoice, "all">],
}));

export interface ListBarProps {
  place: ListPlace;
  choices: FilterChoices;
  /** Number of posts as text. */
  count: string;
  /** Parameters of the address that the server refused. */
  errors: readonly FieldProblem[];
}

/** Filters of a list. They are in the address; the server renders the list again. */
export function ListBar({ place, choices, count, errors }: ListBarProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const go = useCallback((href: string) => startTransition(() => router.push(href)), [router]);
  const all = useFilters(go);
  const filters = place === "review" ? deckFilters(all.filters) : all.filters;
  const control = { ...all, filters };
  const [isOpen, setOpen] = useState(false);
  const isGrid = place === "review";
  const more = (
    <Button
      size="sm"
      icon={<ListFilter aria-hidden />}
      onClick={() => setOpen(true)}
      className="max-desk:px-3"
    >
      <span className="max-desk:hidden-visually">Filters</span>
    </Button>
  );
  const total = (
    <p
      role="status"
      aria-busy={pending}
      className={cn("tabular ms-auto text-13 text-muted", pending && "opacity-50")}
    >
      {count}
    </p>
  );
  return (
    <>
      {/* Many controls come before the list. */}
      <button
        type="button"
        onClick={() => document.querySelector<HTMLElement>('[data-stop][tabindex="0"]')?.focus()}
        className="absolute z-10 w-fit rounded-md border border-line-strong bg-raised px-3 py-2 text-14 font-medium not-focus-visible:pointer-events-none not-focus-visible:opacity-0"
      >
        Skip to the posts
      </button>
      {isGrid ? (
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="hidden-visually">Review</h1>
          <ViewSwitch control={all} current="grid" />
          <OrderSwitch control={control} />
          {total}
          {more}
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="text-20 font-semibold tracking-tight">Posts</h1>
            {total}
          </div>
          <div className="grid grid-cols-[1fr_1fr_auto] gap-2 desk:flex desk:items-center">
            <SearchField
              key={filters.q ?? ""}
              value={filters.q ?? ""}
              onSearch={(q) => {
                const { q: _old, ...rest } = filters;
                control.setFilters(q === "" ? rest : { ...rest, q });
              }}
            />
            <Select
              aria-label="State"
              size="sm"
              className="desk:w-36"
              value={stateOf(filters) ?? ""}
              {...(stateOf(filters) === null ? { placeholder: "Other" } : {})}
              onChange={({ target }) =>
                control.setFilters(withState(filters, (target.value || "all") as StateChoice))
              }
              options={states}
            />
            <Select
              aria-label="Order"
              size="sm"
              className="desk:w-44"
              value={filters.order ?? "newest"}
              onChange={({ target }) => control.setFilters({ ...filters, order: target.value })}
              options={orders}
            />
            {more}
          </div>
        </>
      )}
      <FilterChips filters={filters} setFilters={control.setFilters} choices={choices} />
      {errors.length === 0 ? null : (
        <Card>
          <RefusedFilters errors={errors} setFilters={all.setFilters} />
        </Card>
      )}
      {isOpen ? (
        <FilterSheet
          filters={filters}
          choices={choices}
          place={place}
          onApply={control.setFilters}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

function SearchField({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  return (
    <form
      role="search"
      className="max-desk:col-span-3 desk:w-52 wide:w-72"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(formText(new FormData(event.currentTarget), "q"));
      }}
    >
      <Input
        type="search"
        size="sm"
        lead={<Search aria-hidden />}
        aria-label="Search"
        placeholder="Text, warning, alt text, author"
        name="q"
        defaultValue={value}
        maxLength={500}
        // The browser's clear button does not submit the form.
        onChange={({ target }) => target.value === "" && value !== "" && onSearch("")}
      />
    </form>
  );
}
