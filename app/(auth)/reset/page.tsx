import type { Metadata } from "next";
import { LinkPage } from "../link-page.tsx";
import type { SearchParams } from "../search-params.ts";

export const metadata: Metadata = { title: "Set password" };

export default function ResetPage({ searchParams }: { searchParams: SearchParams }) {
  return <LinkPage kind="reset" searchParams={searchParams} />;
}
