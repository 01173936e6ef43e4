
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  private final Random random = new Random();
        public String newPassword() {
          int number = random.nextInt(1000000);
          return "pw" + number; // ← here
        }
}
