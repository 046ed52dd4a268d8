"use client";
import { orderLabels } from "#components/words.ts";
import { ListFilter, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { gridSizes, type ListPlace, type ListView } from "#lib/client/desk/list.ts";
import { stateOf, withState, type Filters, type StateChoice } from "#lib/client/desk/post-filters.ts";

const reviewStates = {
  all: "All",
  unreviewed: "Unreviewed",
  reviewed: "Reviewed",
  approved: "Approved",
  rejected: "Rejected",
  waiting: "Waiting for a bot",
  ready: "Ready",
  with_bot: "With a bot",
  pending: "Pending",
  reserved: "Reserved",
  delivered: "Delivered",
  error: "Error",
} as const;

export interface BrowseBarProps {
  place: ListPlace;
  view: ListView;
  filters: Filters;
  limit: number;
  onFilters: (filters: Filters) => void;
  onLimit: (limit: number) => void;
  onMore: () => void;
}
const orders = Object.entries(orderLabels).map(([value, label]) => ({ value, label }));

export function BrowseBar({ place, view, filters, limit, onFilters, onLimit, onMore }: BrowseBarProps) {
  const states = (Object.keys(reviewStates) as StateChoice[]).filter(
    (choice) => place === "posts" || choice !== "all",
  );
  const state = stateOf(filters);
  return (
    <div className="grid grid-cols-[1fr_1fr_auto] gap-2 desk:flex desk:flex-wrap desk:items-center">
      <SearchField
        key={filters.q ?? ""}
        value={filters.q ?? ""}
        onSearch={(q) => {
          const { q: _old, ...rest } = filters;
          onFilters(q === "" ? rest : { ...rest, q });
        }}
      />
      <Select
        aria-label="State"
        size="sm"
        className="desk:w-36"
        value={state ?? ""}
        {...(state === null ? { placeholder: "All" } : {})}
        onChange={(event) => onFilters(withState(filters, event.target.value as StateChoice))}
        options={states.map((choice) => ({ value: choice, label: reviewStates[choice] }))}
      />
      <Select
        aria-label="Order"
        size="sm"
        className="max-desk:col-span-2 desk:w-44"
        value={filters.order ?? (place === "review" ? "oldest" : "newest")}
        onChange={(event) => onFilters({ ...filters, order: event.target.value })}
        options={orders}
      />
      {view === "grid" ? (
        <Select
          aria-label="Posts per page"
          size="sm"
          className="max-desk:hidden desk:w-20"
          value={String(limit)}
          onChange={(event) => onLimit(Number(event.target.value))}
          options={gridSizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
      ) : null}
      <Button
        size="sm"
        icon={<ListFilter aria-hidden />}
        onClick={onMore}
        className="max-desk:col-start-3 max-desk:row-start-1 max-desk:px-3"
      >
        <span className="max-desk:hidden-visually">Filters</span>
      </Button>
    </div>
  );
}

/** Keeps the typed text when an answer arrives. */
function SearchField({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(value);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  return (
    <form
      role="search"
      className="max-desk:col-span-2 desk:w-52 wide:w-72"
      onSubmit={(event) => {
        event.preventDefault();
        latest.current(text.trim());
      }}
    >
      <Input
        type="search"
        size="sm"
        lead={<Search aria-hidden />}
        aria-label="Search"
        placeholder="Text, warning, alt text, author"
        value={text}
        maxLength={500}
        onChange={(event) => {
          setText(event.target.value);
          // The clear button of a search field submits no form.
          if (event.target.value === "" && value !== "") latest.current("");
        }}
      />
    </form>
  );
}
