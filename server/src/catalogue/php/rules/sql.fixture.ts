import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-SQL-01',
    bad: [
      `<?php
$id = $_GET['id'];
$result = mysqli_query($link, "SELECT * FROM users WHERE id = '$id'"); // ← here
`,
      `<?php
$sql = 'SELECT * FROM users WHERE name = \\'' . $_POST['name'] . "'";
$sql .= ' LIMIT 1';
$row = $pdo->query($sql)->fetch(); // ← here
`,
      `<?php
namespace App\\Http\\Controllers;
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\DB;
class UserController extends Controller {
    public function index(Request $request) {
        return DB::select("select * from users where mail = '{$request->input('mail')}'"); // ← here
    }
    public function sorted(Request $request) {
        return User::query()->orderByRaw($request->get('sort'))->get();
    }
}
`,
      `<?php
use Illuminate\\Support\\Facades\\DB;
User::where('id', DB::raw($_GET['id'])); // ← here
`,
      `<?php
class Users {
    private $db;
    public function __construct(PDO $db) { $this->db = $db; }
    public function byName(string $name) {
        return $this->db->query("SELECT * FROM users WHERE name = '$name'"); // ← here
    }
}
`,
      `<?php
$id = mysqli_real_escape_string($link, $_POST['id']);
mysqli_query($link, "SELECT * FROM users WHERE id = $id"); // ← here
`,
      `<?php
function find($id) {
    global $wpdb;
    return $wpdb->get_results("SELECT * FROM {$wpdb->posts} WHERE post_author = " . $id); // ← here
}
find($_REQUEST['author']);
`,
    ],
    good: [
      `<?php
$statement = $pdo->prepare('SELECT * FROM users WHERE id = ?');
$statement->execute([$_GET['id']]);
`,
      `<?php
$id = (int) $_GET['id'];
mysqli_query($link, "SELECT * FROM users WHERE id = $id");
$page = intval($_GET['page'] ?? 1);
mysqli_query($link, 'SELECT * FROM users LIMIT ' . $page);
`,
      `<?php
$name = mysqli_real_escape_string($link, $_GET['name']);
mysqli_query($link, "SELECT * FROM users WHERE name = '$name'");
`,
      `<?php
$columns = ['name' => 'name', 'age' => 'born'];
$column = $columns[$_GET['sort']] ?? 'name';
$pdo->query("SELECT * FROM users ORDER BY $column");
`,
      `<?php
$sort = $_GET['sort'];
if (!in_array($sort, ['name', 'age'], true)) {
    die('no');
}
$pdo->query("SELECT * FROM users ORDER BY $sort");
`,
      `<?php
global $wpdb;
$wpdb->get_results($wpdb->prepare("SELECT * FROM {$wpdb->posts} WHERE post_author = %d", $_GET['author']));
`,
      `<?php
if (!ctype_digit($_GET['id'])) {
    http_response_code(400);
    exit;
}
$pdo->query('SELECT * FROM users WHERE id = ' . $_GET['id']);
`,
      `<?php
class Message {
    public static function raw($text) {
        return new Message($text);
    }
}
Message::raw('select one from the list: ' . $_GET['name']);
`,
      `<?php
$order = match ($_GET['order'] ?? '') {
    'up' => 'asc',
    default => 'desc',
};
$pdo->query("SELECT * FROM users ORDER BY name $order");
`,
    ],
  },
]
