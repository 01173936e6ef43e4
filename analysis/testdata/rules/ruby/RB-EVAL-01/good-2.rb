class ItemsController < ApplicationController
  def show
    @sum = Dentaku::Calculator.new.evaluate(params[:formula])
  end
end
