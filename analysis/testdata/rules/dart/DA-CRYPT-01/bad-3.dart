import 'package:pointycastle/export.dart';

final cipher = BlockCipher('AES/ECB'); // ← here
