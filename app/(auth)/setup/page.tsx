import type { Metadata } from "next";
import { LinkPage } from "../link-page.tsx";
import type { SearchParams } from "../search-params.ts";

export const metadata: Metadata = { title: "Create the first account" };

export default function SetupPage({ searchParams }: { searchParams: SearchParams }) {
  return <LinkPage kind="setup" searchParams={searchParams} />;
}
