"use client";
import { createContext, useContext, type ReactNode } from "react";

// Not in data-table.tsx, which server components use, too.
const TabIndex = createContext<number | undefined>(undefined);

export function RowTabIndex({ tabIndex, children }: { tabIndex: number | undefined; children: ReactNode }) {
  return <TabIndex value={tabIndex}>{children}</TabIndex>;
}

/** For controls in the cells of a `DataTable`: -1 in rows that are not in the order of Tab. */
export function useRowTabIndex(): number | undefined {
  return useContext(TabIndex);
}
