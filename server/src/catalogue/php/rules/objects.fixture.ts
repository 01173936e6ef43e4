import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-DESER-01',
    bad: [
      `<?php
$cart = unserialize($_COOKIE['cart']); // ← here
`,
      `<?php
$data = base64_decode($_POST['state']);
$state = unserialize($data, ['allowed_classes' => true]); // ← here
`,
      `<?php
$state = unserialize(file_get_contents('php://input')); // ← here
`,
    ],
    good: [
      `<?php
$cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);
`,
      `<?php
$cart = json_decode($_COOKIE['cart'], true);
`,
      `<?php
$cart = unserialize(file_get_contents('/var/cache/cart'));
`,
    ],
  },
  {
    rule: 'PH-UPLOAD-01',
    bad: [
      `<?php
move_uploaded_file($_FILES['file']['tmp_name'], 'uploads/' . $_FILES['file']['name']); // ← here
`,
      `<?php
$file = $_FILES['photo'];
$target = __DIR__ . '/uploads/' . basename($file['name']);
move_uploaded_file($file['tmp_name'], $target); // ← here
`,
      `<?php
use Illuminate\\Http\\Request;
class Photos {
    public function store(Request $request) {
        $file = $request->file('photo');
        $file->move(public_path('photos'), $file->getClientOriginalName()); // ← here
    }
}
`,
    ],
    good: [
      `<?php
$name = bin2hex(random_bytes(16)) . '.jpg';
move_uploaded_file($_FILES['file']['tmp_name'], "uploads/$name");
`,
      `<?php
$ending = strtolower(pathinfo($_FILES['file']['name'], PATHINFO_EXTENSION));
if (!in_array($ending, ['jpg', 'png'], true)) {
    die('no');
}
move_uploaded_file($_FILES['file']['tmp_name'], 'uploads/' . uniqid() . ".$ending");
`,
      `<?php
use Illuminate\\Http\\Request;
class Photos {
    public function store(Request $request) {
        $request->validate(['photo' => 'required|mimes:jpg,png']);
        $file = $request->file('photo');
        $file->move(public_path('photos'), $file->hashName());
    }
}
`,
    ],
  },
  {
    rule: 'PH-MASS-01',
    bad: [
      `<?php
use Illuminate\\Http\\Request;
class Users {
    public function store(Request $request) {
        return User::create($request->all()); // ← here
    }
}
`,
      `<?php
use Illuminate\\Http\\Request;
class Users {
    public function update(Request $request, User $user) {
        $user->forceFill($request->all())->save(); // ← here
    }
}
`,
      `<?php
class Account extends Model {
    protected $guarded = []; // ← here
}
`,
    ],
    good: [
      `<?php
use Illuminate\\Http\\Request;
class Users {
    public function store(Request $request) {
        return User::create($request->only(['name', 'mail']));
    }
}
`,
      `<?php
class Users {
    public function store(StoreUserRequest $request) {
        return User::create($request->validated());
    }
}
`,
      `<?php
class Account extends Model {
    protected $guarded = ['id', 'balance'];
}
class Route {
    protected $guarded = [];
}
`,
    ],
  },
]
