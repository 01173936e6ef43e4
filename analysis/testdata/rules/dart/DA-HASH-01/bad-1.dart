import 'package:crypto/crypto.dart';

String hash(String password) => md5.convert(utf8.encode(password)).toString(); // ← here
