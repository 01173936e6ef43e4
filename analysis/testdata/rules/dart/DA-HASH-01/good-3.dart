import 'package:crypto/crypto.dart';

String lookup(String resetToken) => sha256.convert(utf8.encode(resetToken)).toString();
