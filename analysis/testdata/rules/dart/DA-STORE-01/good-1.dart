import 'package:flutter_secure_storage/flutter_secure_storage.dart';

Future<void> save(String token) => const FlutterSecureStorage().write(key: 'access_token', value: token);
