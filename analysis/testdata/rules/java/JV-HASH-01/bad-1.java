
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  byte[] hash(String password) throws Exception { return MessageDigest.getInstance("MD5").digest(password.getBytes()); } // ← here
}
