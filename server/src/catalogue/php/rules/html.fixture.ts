import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-XSS-01',
    bad: [
      `<?php
echo 'Hello ' . $_GET['name']; // ← here
`,
      `<p>You searched for <?= $_GET['q'] ?></p> <!-- ← here -->
`,
      `<?php
function title($text) {
    print "<h1>$text</h1>"; // ← here
}
title($_POST['title']);
`,
      `<?php
$name = trim($_COOKIE['name']);
if ($name !== '') {
    printf('<b>%s</b>', $name); // ← here
}
`,
      `<form action="<?php echo $_SERVER['PHP_SELF']; ?>"> <!-- ← here -->
`,
    ],
    good: [
      `<?php
echo 'Hello ' . htmlspecialchars($_GET['name'], ENT_QUOTES);
`,
      `<p>You searched for <?= htmlentities($_GET['q']) ?></p>
`,
      `<?php
echo (int) $_GET['page'];
echo intval($_GET['page']) + 1;
echo $_GET['page'] + 1;
echo count($_POST['items']);
`,
      `<?php
header('Content-Type: application/json');
echo $_GET['callback'];
`,
      `<?php
echo json_encode(['name' => $_GET['name']]);
`,
      `<?php
$tab = $_GET['tab'] ?? 'home';
if (!in_array($tab, ['home', 'shop'])) {
    $tab = 'home';
}
echo "<a class='$tab'>";
`,
      `<?php
echo isset($_GET['x']) ? 'yes' : 'no';
echo $_GET['x'] === 'a' ? 'A' : 'B';
`,
      `<?php
function name() {
    $name = 'fixed';
    return $name;
}
$name = $_GET['name'];
echo name();
`,
    ],
  },
]
