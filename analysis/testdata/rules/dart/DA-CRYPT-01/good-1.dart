import 'package:encrypt/encrypt.dart';

final encrypter = Encrypter(AES(key, mode: AESMode.gcm));
