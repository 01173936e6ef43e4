      package shop;
      public interface Names { String of(String given); }
