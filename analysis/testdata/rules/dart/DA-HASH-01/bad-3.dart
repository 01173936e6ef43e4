import 'package:crypto/crypto.dart';

void save(String password, Map row) {
  row['password'] = sha256.convert(utf8.encode(password)).toString(); // ← here
}
