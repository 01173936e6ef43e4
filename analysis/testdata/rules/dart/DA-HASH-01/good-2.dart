import 'package:crypto/crypto.dart';

String etag(List<int> bytes) => md5.convert(bytes).toString();
