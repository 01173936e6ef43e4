class ItemsController < ApplicationController
  def show
    @sum = eval("1 + 1")
    Item.class_eval { attr_accessor :note }
  end
end
