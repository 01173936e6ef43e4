
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  String token() { Random random = new SecureRandom(); String token = "" + random.nextInt(); return token; }
}
