export function NotFoundMessage() {
  return (
    <>
      <h1 className="text-20 font-semibold tracking-tight">This page does not exist</h1>
      <p className="text-14 text-muted">Check the address. The page may have been deleted.</p>
    </>
  );
}
