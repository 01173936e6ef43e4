import 'package:bcrypt/bcrypt.dart';

String hash(String password) => BCrypt.hashpw(password, BCrypt.gensalt());
