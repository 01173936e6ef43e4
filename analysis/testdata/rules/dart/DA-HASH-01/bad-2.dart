import 'package:crypto/crypto.dart' as crypto;

String stored(User user) {
  return crypto.sha1.convert(utf8.encode('${user.salt}${user.password}')).toString(); // ← here
}
