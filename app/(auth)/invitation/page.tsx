import type { Metadata } from "next";
import { LinkPage } from "../link-page.tsx";
import type { SearchParams } from "../search-params.ts";

export const metadata: Metadata = { title: "Accept invitation" };

export default function InvitationPage({ searchParams }: { searchParams: SearchParams }) {
  return <LinkPage kind="invitation" searchParams={searchParams} />;
}
