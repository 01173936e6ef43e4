import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-LFI-01',
    bad: [
      `<?php
include $_GET['page'] . '.php'; // ← here
`,
      `<?php
$page = $_REQUEST['page'] ?? 'home';
require_once "pages/$page.php"; // ← here
`,
      `<?php
class View {
    public function show(string $name) {
        include __DIR__ . '/views/' . $name; // ← here
    }
}
(new View())->show($_GET['view']);
`,
    ],
    good: [
      `<?php
$pages = ['home' => 'home.php', 'shop' => 'shop.php'];
include $pages[$_GET['page']] ?? 'home.php';
`,
      `<?php
$page = $_GET['page'];
switch ($page) {
    case 'home':
    case 'shop':
        include "pages/$page.php";
        break;
    default:
        include 'pages/home.php';
}
`,
      `<?php
include 'pages/' . basename($_GET['page']) . '.php';
`,
      `<?php
require __DIR__ . '/config.php';
`,
    ],
  },
  {
    rule: 'PH-PATH-01',
    bad: [
      `<?php
readfile('files/' . $_GET['file']); // ← here
`,
      `<?php
$name = urldecode($_GET['name']);
unlink("/srv/uploads/$name"); // ← here
`,
      `<?php
file_put_contents('data/' . $_POST['id'] . '.json', $_POST['body']); // ← here
`,
      `<?php
use Symfony\\Component\\HttpFoundation\\Request;
class Files {
    public function show(Request $request) {
        return file_get_contents('/srv/' . $request->query->get('path')); // ← here
    }
}
`,
    ],
    good: [
      `<?php
readfile('files/' . basename($_GET['file']));
`,
      `<?php
$path = realpath('files/' . $_GET['file']);
if ($path === false || strpos($path, '/srv/files/') !== 0) {
    exit;
}
readfile($path);
`,
      `<?php
$id = (int) $_POST['id'];
file_put_contents("data/$id.json", $_POST['body']);
`,
      `<?php
if (strpos($_GET['file'], '..') !== false) {
    die('no');
}
readfile('files/' . $_GET['file']);
`,
      `<?php
file_get_contents('https://api.example.com/users/' . $_GET['id']);
`,
      `<?php
$body = file_get_contents('php://input');
`,
    ],
  },
]
