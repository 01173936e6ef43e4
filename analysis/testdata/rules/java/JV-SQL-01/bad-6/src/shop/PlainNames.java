      package shop;
      public class PlainNames implements Names {
        public String of(String given) { return given.trim(); }
      }
