import 'package:encrypt/encrypt.dart';

final encrypter = Encrypter(Fernet(key));
