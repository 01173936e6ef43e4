import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-LDAP-01',
    bad: [
      `<?php
ldap_search($ldap, 'dc=example', '(uid=' . $_POST['user'] . ')'); // ← here
`,
      `<?php
$filter = "(&(objectClass=user)(mail={$_GET['mail']}))";
$found = ldap_search($ldap, $base, $filter); // ← here
`,
      `<?php
ldap_list($ldap, 'ou=' . $_GET['unit'] . ',dc=example', '(cn=*)'); // ← here
`,
    ],
    good: [
      `<?php
ldap_search($ldap, 'dc=example', '(uid=' . ldap_escape($_POST['user'], '', LDAP_ESCAPE_FILTER) . ')');
`,
      `<?php
ldap_search($ldap, 'dc=example', '(uid=admin)');
`,
      `<?php
$id = (int) $_GET['id'];
ldap_search($ldap, 'dc=example', "(uidNumber=$id)");
`,
    ],
  },
  {
    rule: 'PH-XPATH-01',
    bad: [
      `<?php
$users = $xml->xpath("//user[name='" . $_GET['name'] . "']"); // ← here
`,
      `<?php
$xpath = new DOMXPath($document);
$xpath->query("//user[@id='{$_POST['id']}']"); // ← here
`,
      `<?php
$name = trim($_POST['name']);
$xpath = new DOMXPath($document);
$found = $xpath->evaluate("string(//user[name='$name']/mail)"); // ← here
`,
    ],
    good: [
      `<?php
$id = (int) $_GET['id'];
$xml->xpath("//user[@id=$id]");
`,
      `<?php
$xml->xpath('//user');
`,
      `<?php
if (!ctype_alnum($_GET['name'])) {
    exit;
}
$xml->xpath("//user[name='" . $_GET['name'] . "']");
`,
    ],
  },
  {
    rule: 'PH-NOSQL-01',
    bad: [
      `<?php
use MongoDB\\Client;
$users = (new Client())->shop->users;
$user = $users->findOne(['name' => $_POST['name'], 'password' => $_POST['password']]); // ← here
`,
      `<?php
use MongoDB\\Client;
$filter = ['token' => $_GET['token']];
$db->sessions->find($filter); // ← here
`,
      `<?php
use MongoDB\\Client;
$db->users->deleteMany(['mail' => $_REQUEST['mail']]); // ← here
`,
    ],
    good: [
      `<?php
use MongoDB\\Client;
$db->users->findOne(['name' => (string) $_POST['name']]);
`,
      `<?php
use MongoDB\\Client;
$db->users->findOne(['age' => (int) $_POST['age']]);
`,
      `<?php
$repository->findOne(['name' => $_POST['name']]);
`,
    ],
  },
  {
    rule: 'PH-XXE-01',
    bad: [
      `<?php
$xml = simplexml_load_string($_POST['xml'], 'SimpleXMLElement', LIBXML_NOENT); // ← here
`,
      `<?php
$document = new DOMDocument();
$document->loadXML(file_get_contents('php://input'), LIBXML_NOENT | LIBXML_DTDLOAD); // ← here
`,
      `<?php
libxml_disable_entity_loader(false); // ← here
`,
    ],
    good: [
      `<?php
$xml = simplexml_load_string($_POST['xml']);
`,
      `<?php
$document->loadXML($_POST['xml'], LIBXML_NONET);
`,
      `<?php
libxml_disable_entity_loader(true);
`,
    ],
  },
]
