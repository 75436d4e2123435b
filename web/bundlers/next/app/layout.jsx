// An empty icon: browsers would ask for one.
export const metadata = { icons: 'data:,' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
