import { Link } from "#components/ui/link.tsx";

/** A figure in a table that opens the list behind it. Not fetched ahead: a page of figures would ask for them all. */
export function FigureLink({ href, children }: { href: string | null; children: string }) {
  if (href === null) return children;
  return (
    <Link
      href={href}
      prefetch={false}
      tone="plain"
      className="inline-block min-h-6 min-w-6 leading-6 underline decoration-line-strong decoration-dotted hover:decoration-current"
    >
      {children}
    </Link>
  );
}
